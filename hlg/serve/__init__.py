"""``hlg serve``: a page to ask in, and a JSON API, over one graph that stays open.

``app`` puts the application together, ``guard`` stands before it; ``api`` answers programs and
``pages`` people, both out of ``service``, which holds the graph.
"""
