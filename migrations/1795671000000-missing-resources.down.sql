alter table connector_resources drop column missing_since, drop column missing_looks;
