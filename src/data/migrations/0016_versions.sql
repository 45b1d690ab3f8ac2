-- Which records each change of the catalog touched, so that a publish looks at what depends on them only.
alter table catalog_state
  -- Counts the transactions that changed the catalog, in the order in which they committed.
  add column version bigint not null default 0,
  add column changed_by xid8;

-- A version that is not here was forgotten, or belongs to another database: what came after it is not known.
create table catalog_version (
  version bigint primary key,
  at timestamptz not null
);

-- A record as it was before or is after a change: its merchant, and its category or product.
create table catalog_touched (
  version bigint not null,
  kind text not null,
  id bigint not null,
  merchant_id bigint,
  belongs_to bigint
);
create index catalog_touched_version on catalog_touched (version);

-- The version that the current transaction makes. The row of catalog_state stays locked until it commits, so that
-- a later version is never seen before an earlier one.
create function next_catalog_version() returns bigint language plpgsql as $$
declare
  made bigint;
begin
  update catalog_state
  set version = version + 1, updated_at = now(), changed_by = pg_current_xact_id()
  -- Numbers of transactions begin anew in a restored database.
  where (changed_by, updated_at) is distinct from (pg_current_xact_id(), now())
  returning version into made;
  if not found then
    return (select version from catalog_state);
  end if;
  insert into catalog_version values (made, now());
  notify catalog_changed;
  return made;
end $$;

-- Its arguments are the columns of the merchant and of the category or product.
create function note_touched() returns trigger language plpgsql as $$
declare
  rows constant text := case tg_op
    when 'INSERT' then 'select * from new_rows'
    when 'DELETE' then 'select * from old_rows'
    else 'select * from new_rows union all select * from old_rows'
  end;
  is_touched boolean;
begin
  execute format('select exists (%s)', rows) into is_touched;
  if is_touched then
    execute format(
      'insert into catalog_touched select distinct %s, %L, id, %s::bigint, %s::bigint from (%s) touched',
      next_catalog_version(), tg_table_name, tg_argv[0], tg_argv[1], rows);
  end if;
  return null;
end $$;

-- Nobody is told which records a TRUNCATE takes: the next publish compares every page.
create function forget_versions() returns trigger language plpgsql as $$
begin
  delete from catalog_version;
  delete from catalog_touched;
  perform next_catalog_version();
  return null;
end $$;

do $$
declare
  kind text;
  columns text;
begin
  for kind, columns in values
    ('category', '''null'', ''null'''),
    ('merchant', '''id'', ''null'''),
    ('store', '''merchant_id'', ''null'''),
    ('product', '''merchant_id'', ''category_id'''),
    ('offer', '''merchant_id'', ''product_id''')
  loop
    execute format('create trigger note_inserted after insert on %I referencing new table as new_rows
      for each statement execute function note_touched(%s)', kind, columns);
    execute format('create trigger note_updated after update on %I referencing old table as old_rows
      new table as new_rows for each statement execute function note_touched(%s)', kind, columns);
    execute format('create trigger note_deleted after delete on %I referencing old table as old_rows
      for each statement execute function note_touched(%s)', kind, columns);
    execute format('create trigger note_truncated after truncate on %I
      for each statement execute function forget_versions()', kind);
  end loop;
end $$;

-- The order in which pages name what stands beside a record: those of the same merchant and category first.
create index product_shelf on product (merchant_id, (coalesce(category_id, 0)), id);
drop index product_merchant;
create index offer_shelf on offer ((coalesce(merchant_id, 0)), id);
