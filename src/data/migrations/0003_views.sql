-- The merchant that an item had at an instant; for instants before the catalog knew the item, its first.
create function owner_at(item_kind text, item bigint, instant timestamptz) returns bigint
language sql stable parallel safe
return (
  select merchant_id from item_owner
  where kind = item_kind and item_id = item
  order by (since <= instant) desc, case when since <= instant then since end desc, since
  limit 1
);

create function check_item_id(item jsonb) returns bigint
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

-- The events of a record_views call as rows; "at" defaults to now.
create function read_views(events jsonb)
returns table (kind text, id bigint, source text, at timestamptz)
language sql stable
begin atomic
  select event.kind, check_item_id(event.id), event.source, coalesce(event.at, now())
  from jsonb_to_recordset(events) as event (kind text, id jsonb, source text, at timestamptz);
end;

-- Why a view is refused; null when it is good.
create function view_fault(kind text, id bigint, source text, at timestamptz, clock timestamptz)
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

create function hour_of(at timestamptz) returns timestamptz
language sql immutable parallel safe
return date_trunc('hour', at, 'UTC');

-- Partitions: attached, because that leaves readers and writers alone, where creating one in place would
-- lock them out. Spans are in hours: a day is not always 24 of them in the caller's time zone.
create function ensure_partition(parent text, since timestamptz, span interval) returns void
language plpgsql as $$
declare
  part text := parent || to_char(since at time zone 'UTC', '_YYYYMMDDHH24');
begin
  if to_regclass(part) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(726114010);
  if to_regclass(part) is not null then
    return;
  end if;
  execute format('create table %I (like %I including defaults including constraints)', part, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)',
    parent, part, since, since + span);
end $$;

-- Makes the partitions that events of the last 49 hours and of the next day fall into.
create function ensure_view_partitions(clock timestamptz) returns void
language plpgsql as $$
begin
  perform ensure_partition('view_event', h, interval '1 hour')
  from generate_series(hour_of(clock - interval '49 hours'), hour_of(clock + interval '24 hours'),
    interval '1 hour') h;
  perform ensure_partition('view_hour', d, interval '24 hours')
  from generate_series(date_trunc('day', clock - interval '49 hours', 'UTC'),
    date_trunc('day', clock + interval '48 hours', 'UTC'), interval '24 hours') d;
end $$;

-- Writers share the lock of every hour they write to, sealing an hour takes it alone; so an event is
-- either in the sum or added to it afterwards. Events of other hours never wait.
create function hour_lock(hour timestamptz) returns int
language sql immutable
return (extract(epoch from hour) / 3600)::int;

-- Records view events: a JSON array of {"kind":"product"|"offer","id":…,"source":"user"|"agent","at":…}.
-- All or nothing; returns the number of rows recorded. "at" may lie up to 48 hours back, not in the
-- future. A batch with a key is recorded once: a second call with the key records nothing.
create function record_views(events jsonb, batch_key text default null) returns bigint
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

  -- All partitions before the first lock of an hour: whoever waits for one holds nothing that another needs.
  perform ensure_partition('view_event', h, interval '1 hour'),
    ensure_partition('view_hour', date_trunc('day', h, 'UTC'), interval '24 hours')
  from (select distinct hour_of(v.at) as h from read_views(events) v order by 1) hours;
  perform pg_advisory_xact_lock_shared(726114, hour_lock(h))
  from (select distinct hour_of(v.at) as h from read_views(events) v order by 1) hours;

  -- Payment offers (negative ids) count for no merchant: the merchant's table has positive ids only.
  insert into view_event (at, item_id, merchant_id, metric)
  select v.at, v.id, case when v.id > 0 then owner_at(v.kind, v.id, v.at) end,
    case when v.kind = 'offer' then 3 when v.source = 'agent' then 2 else 1 end
  from read_views(events) v;
  get diagnostics recorded = row_count;
  perform add_late_views(events);

  -- In id order, so that two batches never wait for each other in a circle.
  insert into product_total as total (product_id, views)
  select v.id, count(*) from read_views(events) v where v.kind = 'product' group by v.id order by v.id
  on conflict (product_id) do update set views = total.views + excluded.views;
  return recorded;
end $$;

-- Keys of batches that were recorded, for as long as a caller may sensibly try again.
create table view_batch (
  key text primary key,
  recorded_at timestamptz not null default now()
);

-- Adds the events that fall into sealed hours to the sums of these hours, and to the window sums.
create function add_late_views(events jsonb) returns void
language plpgsql as $$
begin
  if not exists (
    select from read_views(events) v join hour_seal s on s.hour = hour_of(v.at)
  ) then
    return;
  end if;
  perform pg_advisory_xact_lock_shared(726115, 0);
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
  ), merchants as (
    insert into merchant_hour as sum (hour, merchant_id, product_user, product_agent, offer_user)
    select hour, merchant_id, coalesce(sum(views) filter (where metric = 1), 0),
      coalesce(sum(views) filter (where metric = 2), 0),
      coalesce(sum(views) filter (where metric = 3), 0)
    from late where merchant_id is not null group by hour, merchant_id order by hour, merchant_id
    on conflict (hour, merchant_id) do update set
      product_user = sum.product_user + excluded.product_user,
      product_agent = sum.product_agent + excluded.product_agent,
      offer_user = sum.offer_user + excluded.offer_user
  )
  insert into window_view as sum (merchant_id, metric, item_id, views)
  select l.merchant_id, l.metric, l.item_id, sum(l.views)
  from late l join window_merchant using (merchant_id), window_state w
  where l.hour >= w.until - interval '23 hours' and l.hour < w.until
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (merchant_id, metric, item_id) do update set views = sum.views + excluded.views;
end $$;

-- Sums up a full hour, once; false when it was sealed before.
create function seal_hour(sealed timestamptz) returns boolean
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

-- Sums up the 23 full hours before the end of the last sealed hour, for merchants with many rows there.
create function rebuild_window(least_rows bigint) returns void
language plpgsql as $$
declare
  ended timestamptz := (select max(hour) + interval '1 hour' from hour_seal);
begin
  perform pg_advisory_xact_lock(726115, 0);
  if ended is null or ended = (select until from window_state) then
    return;
  end if;
  delete from window_view;
  delete from window_merchant;
  insert into window_merchant (merchant_id)
  select merchant_id from view_hour where hour >= ended - interval '23 hours' and hour < ended
  group by merchant_id having count(*) >= least_rows;
  insert into window_view (merchant_id, metric, item_id, views)
  select merchant_id, metric, item_id, sum(views)
  from view_hour join window_merchant using (merchant_id)
  where hour >= ended - interval '23 hours' and hour < ended
  group by merchant_id, metric, item_id;
  update window_state set until = ended;
end $$;

-- Views of a merchant in [t - 24 h, t), exact to the event: sealed hours (or their sum) in the middle,
-- raw events at both edges. Hours that are not sealed yet are read raw.
create function merchant_views(merchant bigint, t timestamptz)
returns table (metric smallint, item_id bigint, views bigint)
language plpgsql stable as $$
declare
  middle timestamptz := hour_of(t) - interval '23 hours';
  tail timestamptz;
begin
  if exists (select from window_merchant w where w.merchant_id = merchant)
    and (select until from window_state) = hour_of(t) then
    tail := hour_of(t);
    return query
      select x.metric, x.item_id, sum(x.views)::bigint from (
        select w.metric, w.item_id, w.views from window_view w where w.merchant_id = merchant
        union all select e.metric, e.item_id, 1 from view_event e
          where e.merchant_id = merchant and e.at >= t - interval '24 hours' and e.at < middle
        union all select e.metric, e.item_id, 1 from view_event e
          where e.merchant_id = merchant and e.at >= tail and e.at < t
      ) x group by 1, 2;
    return;
  end if;
  select coalesce(min(h), hour_of(t)) into tail
  from generate_series(middle, hour_of(t) - interval '1 hour', interval '1 hour') h
  where not exists (select from hour_seal s where s.hour = h);
  return query
    select x.metric, x.item_id, sum(x.views)::bigint from (
      select v.metric, v.item_id, v.views from view_hour v
        where v.merchant_id = merchant and v.hour >= middle and v.hour < tail
      union all select e.metric, e.item_id, 1 from view_event e
        where e.merchant_id = merchant and e.at >= t - interval '24 hours' and e.at < middle
      union all select e.metric, e.item_id, 1 from view_event e
        where e.merchant_id = merchant and e.at >= tail and e.at < t
    ) x group by 1, 2;
end $$;

select ensure_view_partitions(now());
