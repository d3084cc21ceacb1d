drop table feedback;
drop table queries;
