"""What servers share: whose requests are let in, listening, and the graph that is served."""
