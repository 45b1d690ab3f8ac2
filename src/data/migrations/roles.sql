-- Revision 1. The roles: scripts/deploy/roles.md tells what each is for. They cannot log in: an operator creates
-- users that are members of them. Applied after all functions.

-- For the jobs: only the owner of a table may analyze it.
create or replace function analyze_table(name text) returns void
language plpgsql as $$
begin
  execute format('analyze %s', to_regclass(name));
end $$;

-- Creates missing roles, as far as the owner may, and grants their privileges; idempotent.
create or replace function grant_roles() returns void
language plpgsql as $$
declare
  roles constant text[] := array['vitrine_web', 'vitrine_jobs', 'mall_activity', 'mall_catalog'];
  role_name text;
  served constant text[] := array['category', 'merchant', 'store', 'product', 'offer', 'item_owner', 'catalog_state',
    'product_total', 'view_event', 'hour_seal', 'view_hour', 'merchant_hour', 'window_state', 'window_merchant',
    'window_view', 'snapshot_run', 'merchant_snapshot', 'search_token', 'search_record', 'search_bucket',
    'search_posting', 'search_merchant', 'search_category', 'search_word', 'schema_migration'];
  worked_on constant text[] := array['catalog_batch', 'catalog_fault', 'catalog_removal', 'catalog_touched',
    'catalog_version', 'reaction', 'view_batch'];
  tables text;
begin
  foreach role_name in array roles loop
    continue when exists (select from pg_roles where rolname = role_name);
    begin
      execute format('create role %I nologin', role_name);
    exception
      -- Another database of the cluster may be creating it concurrently.
      when duplicate_object or unique_violation then null;
      when insufficient_privilege then
        raise notice 'role % was not made: an administrator has to, and then the owner: select grant_roles()', role_name;
    end;
  end loop;

  foreach role_name in array roles loop
    continue when not exists (select from pg_roles where rolname = role_name);
    execute format('grant usage on schema %I to %I', current_schema(), role_name);
    if role_name = 'vitrine_web' then
      execute format('grant select on %s to vitrine_web', array_to_string(served, ', '));
      grant execute on function record_views(jsonb, text) to vitrine_web;
    elsif role_name = 'vitrine_jobs' then
      tables := array_to_string(array_remove(served, 'schema_migration') || worked_on, ', ');
      execute format('grant select, insert, update, delete on %s to vitrine_jobs', tables);
      grant select on schema_migration, catalog_change_fault to vitrine_jobs;
      grant execute on function record_views(jsonb, text), record_views(jsonb, text, boolean),
        set_reaction(bigint, text, text), submit_catalog(jsonb, text), ensure_view_partitions(timestamptz),
        seal_hour(timestamptz), drop_view_partition(text), analyze_table(text) to vitrine_jobs;
    elsif role_name = 'mall_activity' then
      grant execute on function record_views(jsonb, text), record_views(jsonb, text, boolean),
        set_reaction(bigint, text, text) to mall_activity;
    else
      grant execute on function submit_catalog(jsonb, text) to mall_catalog;
      grant select on catalog_change_fault to mall_catalog;
    end if;
  end loop;
end $$;

-- These run with the owner's privileges (security definer): search_path is fixed against hijacking, and execution
-- needs a grant.
do $$
declare
  definer regprocedure;
begin
  foreach definer in array array[
    'record_views(jsonb, text)', 'record_views(jsonb, text, boolean)', 'set_reaction(bigint, text, text)',
    'submit_catalog(jsonb, text)', 'ensure_view_partitions(timestamptz)', 'seal_hour(timestamptz)',
    'drop_view_partition(text)', 'analyze_table(text)']::regprocedure[]
  loop
    execute format('alter function %s security definer set search_path = %I, pg_temp', definer, current_schema());
    execute format('revoke all on function %s from public', definer);
  end loop;
  revoke all on function grant_roles() from public;
  perform grant_roles();
end $$;
