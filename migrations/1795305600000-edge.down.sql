drop table idempotency_keys;
drop table rate_windows;
alter table sources drop column acl;
alter table databases drop column rollback_failed;
drop index api_keys_account;
alter table api_keys drop column principals;
alter table api_keys drop column databases;
alter table accounts drop column plan;
