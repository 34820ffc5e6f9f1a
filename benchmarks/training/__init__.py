"""How the models that ship are trained: recipes, and the data that they learn from."""
