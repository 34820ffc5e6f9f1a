"""Neo4j Browser for an hlg graph: its style, a guide through the graph, and favourites.

``content`` has these for a graph, ``link`` the addresses that open the Browser on it, and
``serve`` the server from which the Browser fetches style and guide.
"""
