drop index sources_nobodys;
