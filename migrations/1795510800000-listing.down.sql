drop index sources_comments;
drop index sources_listed;
