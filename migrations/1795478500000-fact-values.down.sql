alter table facts drop column value_key, drop column negated;
