-- Revision 1. Triggers that note which records each change of the catalog touched, under the version that the
-- transaction makes.

-- Returns the version of the current transaction. The row of catalog_state stays locked until commit, so that
-- versions become visible in order.
create or replace function next_catalog_version() returns bigint language plpgsql as $$
declare
  made bigint;
begin
  update catalog_state
  set version = version + 1, updated_at = now(), changed_by = pg_current_xact_id()
  -- The time is compared too, as transaction ids start over in a restored database.
  where (changed_by, updated_at) is distinct from (pg_current_xact_id(), now())
  returning version into made;
  if not found then
    return (select version from catalog_state);
  end if;
  insert into catalog_version values (made, now());
  notify catalog_changed;
  return made;
end $$;

-- Its arguments: the columns with the merchant and with the category or product.
create or replace function note_touched() returns trigger language plpgsql as $$
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

-- TRUNCATE does not tell which records it removes: the next publish compares every page.
create or replace function forget_versions() returns trigger language plpgsql as $$
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
    execute format('create or replace trigger note_inserted after insert on %I referencing new table as new_rows
      for each statement execute function note_touched(%s)', kind, columns);
    execute format('create or replace trigger note_updated after update on %I referencing old table as old_rows
      new table as new_rows for each statement execute function note_touched(%s)', kind, columns);
    execute format('create or replace trigger note_deleted after delete on %I referencing old table as old_rows
      for each statement execute function note_touched(%s)', kind, columns);
    execute format('create or replace trigger note_truncated after truncate on %I
      for each statement execute function forget_versions()', kind);
  end loop;
end $$;
