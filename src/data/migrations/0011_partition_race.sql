-- As in migration 3, but whoever waited for the lock looks into pg_class itself: to_regclass answers from a
-- cache that an advisory lock does not refresh, and the other's partition was made a second time.
create or replace function ensure_partition(parent text, since timestamptz, span interval) returns void
language plpgsql as $$
declare
  part text := parent || to_char(since at time zone 'UTC', '_YYYYMMDDHH24');
begin
  if to_regclass(part) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(726114010);
  if exists (
    select from pg_class where relname = part and relnamespace = current_schema()::regnamespace
  ) then
    return;
  end if;
  execute format('create table %I (like %I including defaults including constraints)', part, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)',
    parent, part, since, since + span);
end $$;
