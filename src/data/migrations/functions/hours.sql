-- Revision 1. Hours of views: partitions, seals, and the lock between writers and sealing.

create or replace function hour_of(at timestamptz) returns timestamptz
language sql immutable parallel safe
return date_trunc('hour', at, 'UTC');

-- Writers take the advisory lock of each hour they write to in shared mode, sealing takes it exclusively: an event
-- is either in the sum or added to it later. Events of other hours never wait.
create or replace function hour_lock(hour timestamptz) returns int
language sql immutable
return (extract(epoch from hour) / 3600)::int;

-- Creates and attaches a partition: attaching does not block readers and writers, creating in place would. Spans
-- are in hours, as a day is not always 24 of them in the caller's time zone. After waiting for the lock, pg_class
-- is read directly: to_regclass uses a cache that advisory locks do not refresh, and the partition would be created
-- twice.
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

-- Creates the partitions for events of the last 49 hours and of the next day.
create or replace function ensure_view_partitions(clock timestamptz) returns void
language plpgsql as $$
begin
  perform ensure_partition('view_event', h, interval '1 hour')
  from generate_series(hour_of(clock - interval '49 hours'), hour_of(clock + interval '24 hours'),
    interval '1 hour') h;
  perform ensure_partition('view_hour', d, interval '24 hours')
  from generate_series(date_trunc('day', clock - interval '49 hours', 'UTC'),
    date_trunc('day', clock + interval '48 hours', 'UTC'), interval '24 hours') d;
end $$;

select ensure_view_partitions(now());

-- For the jobs: only the owner of a table may drop it.
create or replace function drop_view_partition(part text) returns void
language plpgsql as $$
begin
  if not exists (
    select from pg_inherits
    where inhrelid = to_regclass(part) and inhparent in ('view_event'::regclass, 'view_hour'::regclass)
  ) then
    raise exception '% is no partition of views', part using errcode = '22023';
  end if;
  execute format('drop table %s', to_regclass(part));
end $$;

-- Sums up a full hour, once; false if it was sealed already.
create or replace function seal_hour(sealed timestamptz) returns boolean
language plpgsql as $$
begin
  perform ensure_partition('view_hour', date_trunc('day', sealed, 'UTC'), interval '24 hours');
  perform pg_advisory_xact_lock(726114, hour_lock(sealed));
  if exists (select from hour_seal where hour = sealed) then
    return false;
  end if;
  insert into view_hour (hour, merchant_id, metric, item_id, views)
  select sealed, merchant_id, metric, item_id, count(*) from view_event
  where at >= sealed and at < sealed + interval '1 hour' and merchant_id is not null
  group by merchant_id, metric, item_id;
  insert into merchant_hour (hour, merchant_id, product_user, product_agent, offer_user)
  select sealed, merchant_id, coalesce(sum(views) filter (where metric = 1), 0),
    coalesce(sum(views) filter (where metric = 2), 0),
    coalesce(sum(views) filter (where metric = 3), 0)
  from view_hour where hour = sealed group by merchant_id;
  insert into hour_seal (hour) values (sealed);
  return true;
end $$;
