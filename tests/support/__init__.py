"""What tests stand on: graphs, servers and texts that they make themselves."""
