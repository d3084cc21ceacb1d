alter table connector_resources drop column believed_walk;
