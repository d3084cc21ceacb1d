-- Until when the provider has asked to be left alone, however urgent a sync is.
alter table connectors add column limited_until timestamptz;
