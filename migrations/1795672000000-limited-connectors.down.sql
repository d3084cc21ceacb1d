alter table connectors drop column limited_until;
