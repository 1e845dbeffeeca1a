"""What is kept: the tables, the queries on them, and the database they live in.

SQL is written here and nowhere else. A unit of work is one `Database.reading` or
`Database.writing`; the query modules (`deals`, `dailies`, `submissions` and so on) take its
session and never commit.
"""
