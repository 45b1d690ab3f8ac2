-- For a mall in its own database, after triggers.sql: changes wait in a table until outbox.mjs submits them.
create table mall.outbox (
  id bigint generated always as identity primary key,
  changes jsonb not null
);

create or replace function mall.emit(changes jsonb) returns void
language sql as $$
  insert into mall.outbox (changes) values (changes);
  select pg_notify('mall_outbox', '');
$$;
