"""The graph for anybody's agent, by the Model Context Protocol (MCP)."""
