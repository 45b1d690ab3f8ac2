-- Revision 1. record_views, the entry point for views.

create or replace function check_item_id(item jsonb) returns bigint
language plpgsql immutable as $$
declare
  value numeric;
begin
  if jsonb_typeof(item) is distinct from 'number' then
    raise exception 'id must be a number, got %', coalesce(item::text, 'nothing') using errcode = '22023';
  end if;
  value := item::text::numeric;
  if value <> trunc(value) or value = 0 or abs(value) > 9007199254740991 then
    raise exception 'id must be a whole number within 1..9007199254740991 (negative for payment offers), got %', value
      using errcode = '22023';
  end if;
  return value::bigint;
end $$;

-- Converts the events of a record_views call to rows; "at" defaults to now.
create or replace function read_views(events jsonb)
returns table (kind text, id bigint, source text, at timestamptz)
language sql stable
begin atomic
  select event.kind, check_item_id(event.id), event.source, coalesce(event.at, now())
  from jsonb_to_recordset(events) as event (kind text, id jsonb, source text, at timestamptz);
end;

-- Returns why a view is rejected; null if valid.
create or replace function view_fault(kind text, id bigint, source text, at timestamptz, clock timestamptz)
returns text
language sql immutable
return case
  when kind is null or kind not in ('product', 'offer') then 'kind must be "product" or "offer"'
  when source is null or source not in ('user', 'agent') then 'source must be "user" or "agent"'
  when kind = 'offer' and source = 'agent' then 'offers have views by users only'
  when kind = 'product' and id < 0 then 'product ids are positive'
  when at > clock then '"at" lies in the future'
  when at < clock - interval '48 hours' then '"at" lies more than 48 hours back'
end;

-- Adds events of sealed hours to the sums of these hours.
create or replace function add_late_views(events jsonb) returns void
language plpgsql as $$
begin
  if not exists (
    select from read_views(events) v join hour_seal s on s.hour = hour_of(v.at)
  ) then
    return;
  end if;
  with late as materialized (
    select hour_of(v.at) as hour, owner_at(v.kind, v.id, v.at) as merchant_id, v.id as item_id,
      case when v.kind = 'offer' then 3 when v.source = 'agent' then 2 else 1 end::smallint as metric,
      count(*) as views
    from read_views(events) v join hour_seal s on s.hour = hour_of(v.at)
    where v.id > 0
    group by 1, 2, 3, 4
  ), items as (
    insert into view_hour as sum (hour, merchant_id, metric, item_id, views)
    select hour, merchant_id, metric, item_id, views from late
    where merchant_id is not null order by merchant_id, hour, metric, item_id
    on conflict (merchant_id, hour, metric, item_id) do update set views = sum.views + excluded.views
  )
  insert into merchant_hour as sum (hour, merchant_id, product_user, product_agent, offer_user)
  select hour, merchant_id, coalesce(sum(views) filter (where metric = 1), 0),
    coalesce(sum(views) filter (where metric = 2), 0),
    coalesce(sum(views) filter (where metric = 3), 0)
  from late where merchant_id is not null group by hour, merchant_id order by hour, merchant_id
  on conflict (hour, merchant_id) do update set
    product_user = sum.product_user + excluded.product_user,
    product_agent = sum.product_agent + excluded.product_agent,
    offer_user = sum.offer_user + excluded.offer_user;
end $$;

-- Records view events: a JSON array of {"kind":"product"|"offer","id":…,"source":"user"|"agent","at":…}. All or
-- nothing; returns the number recorded. "at" may be up to 48 hours in the past, not in the future. Idempotent by
-- key: a repeated one records nothing.
create or replace function record_views(events jsonb, batch_key text default null) returns bigint
language plpgsql as $$
declare
  recorded bigint;
  fault text;
  clock timestamptz := clock_timestamp();
begin
  if jsonb_typeof(events) is distinct from 'array' then
    raise exception 'record_views takes a JSON array of events' using errcode = '22023';
  end if;
  select format('record_views refused %s: %s', to_jsonb(v), view_fault(v.kind, v.id, v.source, v.at, clock))
  into fault
  from read_views(events) v
  where view_fault(v.kind, v.id, v.source, v.at, clock) is not null
  limit 1;
  if fault is not null then
    raise exception '%', fault using errcode = '22023';
  end if;
  if batch_key is not null then
    insert into view_batch (key) values (batch_key) on conflict do nothing;
    if not found then
      return 0;
    end if;
  end if;

  -- Creates all partitions before taking hour locks, so that a waiting caller holds no lock that another needs.
  perform ensure_partition('view_event', h, interval '1 hour'),
    ensure_partition('view_hour', date_trunc('day', h, 'UTC'), interval '24 hours')
  from (select distinct hour_of(v.at) as h from read_views(events) v order by 1) hours;
  perform pg_advisory_xact_lock_shared(726114, hour_lock(h))
  from (select distinct hour_of(v.at) as h from read_views(events) v order by 1) hours;
  perform pg_advisory_xact_lock_shared(726115, 0);

  -- Payment offers (negative ids) count for no merchant: a merchant's tables have positive ids only.
  insert into view_event (at, item_id, merchant_id, metric)
  select v.at, v.id, case when v.id > 0 then owner_at(v.kind, v.id, v.at) end,
    case when v.kind = 'offer' then 3 when v.source = 'agent' then 2 else 1 end
  from read_views(events) v;
  get diagnostics recorded = row_count;
  perform add_late_views(events);
  perform add_to_window(events);

  -- In id order, so that concurrent batches cannot deadlock.
  insert into product_total as total (product_id, views)
  select v.id, count(*) from read_views(events) v where v.kind = 'product' group by v.id order by v.id
  on conflict (product_id) do update set views = total.views + excluded.views;
  return recorded;
end $$;

-- Returns the fault of a view event; null if valid.
create or replace function view_event_fault(event jsonb, clock timestamptz) returns text
language plpgsql stable as $$
declare
  v record;
begin
  if jsonb_typeof(event) is distinct from 'object' then
    return 'an event must be an object';
  end if;
  select * into v from read_views(jsonb_build_array(event));
  return view_fault(v.kind, v.id, v.source, v.at, clock);
exception when data_exception then
  return sqlerrm;
end $$;

-- Like record_views; if tolerant, records the valid events and returns the others by position from 1.
create or replace function record_views(events jsonb, batch_key text, tolerant boolean)
returns table ("position" int, event jsonb, reason text)
language plpgsql as $$
declare
  clock timestamptz := clock_timestamp();
  -- record_views below reads the clock a little later.
  later timestamptz := clock + interval '1 second';
  good jsonb;
  bad jsonb;
begin
  begin
    perform record_views(events, batch_key);
    return;
  exception when data_exception then
    if not tolerant or jsonb_typeof(events) is distinct from 'array' then
      raise;
    end if;
  end;
  select coalesce(jsonb_agg(judged.event order by place) filter (where fault is null), '[]'),
    jsonb_agg(jsonb_build_object('position', place, 'event', judged.event, 'reason', fault) order by place)
      filter (where fault is not null)
  into good, bad
  from (
    select given.event, place,
      coalesce(view_event_fault(given.event, clock), view_event_fault(given.event, later)) as fault
    from jsonb_array_elements(events) with ordinality as given (event, place)
  ) judged;
  perform record_views(good, batch_key);
  return query
    select * from jsonb_to_recordset(bad) as refused ("position" int, event jsonb, reason text);
end $$;
