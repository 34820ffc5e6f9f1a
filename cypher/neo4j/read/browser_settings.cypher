// The server's settings that Neo4j Browser goes by: name, value.
SHOW SETTINGS 'server.http.advertised_address', 'browser.post_connect_cmd'
YIELD name, value
