// The names of all tables: name.
CALL show_tables() RETURN name
