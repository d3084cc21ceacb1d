alter table connector_resources drop column restarted_run;
