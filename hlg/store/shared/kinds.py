"""The kinds of relationships that stores follow, as statements of :mod:`hlg.cypher` take them."""

from typing import TypeAlias

EdgeKind: TypeAlias = tuple[str, str, str]
"""Relationship type, label it comes from, label it goes to."""

PART_OF: EdgeKind = ("PART_OF", "Chunk", "Source")
CHILD_OF: EdgeKind = ("CHILD_OF", "Chunk", "Chunk")
TOPIC_IN: EdgeKind = ("MENTIONED_IN", "Topic", "Chunk")
STATEMENT_IN: EdgeKind = ("MENTIONED_IN", "Statement", "Chunk")
BELONGS_TO: EdgeKind = ("BELONGS_TO", "Statement", "Topic")
MENTIONS: EdgeKind = ("MENTIONS", "Statement", "Entity")
SUPPORTS: EdgeKind = ("SUPPORTS", "Fact", "Statement")
SUBJECT: EdgeKind = ("SUBJECT", "Entity", "Fact")
OBJECT: EdgeKind = ("OBJECT", "Fact", "Entity")
MEMBER: EdgeKind = ("IN_COMMUNITY", "Entity", "Community")
PARENT: EdgeKind = ("PART_OF", "Community", "Community")
SAME_AS: EdgeKind = ("SAME_AS", "Entity", "Entity")
DIFFERENT_FROM: EdgeKind = ("DIFFERENT_FROM", "Entity", "Entity")
NEXT_CHUNK: EdgeKind = ("NEXT", "Chunk", "Chunk")
NEXT_STATEMENT: EdgeKind = ("NEXT", "Statement", "Statement")
