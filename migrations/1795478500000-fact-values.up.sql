-- Values are compared without what spelling and inflection add. A fact that denies its value ("no longer lives in Oslo")
-- contradicts only who affirms that very value.
alter table facts add column value_key text not null, add column negated boolean not null;
