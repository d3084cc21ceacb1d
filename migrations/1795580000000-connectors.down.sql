drop table connector_syncs;
drop table connector_items;
drop table connector_resources;
drop table connectors;
