-- The window of merchants with very many views slides by the minute: window_view holds the sums of
-- [window_state.until - 24 h, until), to which a read adds the events since and from which it takes those
-- that have left. So the raw part of an answer is a minute or two long instead of an hour.
drop function merchant_views(bigint, timestamptz);
drop function rebuild_window(bigint);
drop table window_view;
create table window_view (
  merchant_id bigint not null,
  is_offer boolean not null,
  item_id bigint not null,
  by_user bigint not null,
  by_agent bigint not null,
  primary key (merchant_id, is_offer, item_id)
) with (fillfactor = 70);
truncate window_merchant;
update window_state set until = null;

-- Views of a merchant in [t - 24 h, t), exact to the event, from sealed hours in the middle and raw events at
-- both edges. Hours that are not sealed yet are read raw.
create function hourly_merchant_views(merchant bigint, t timestamptz)
returns table (is_offer boolean, item_id bigint, by_user bigint, by_agent bigint)
language plpgsql stable as $$
declare
  middle timestamptz := hour_of(t) - interval '23 hours';
  tail timestamptz;
begin
  select coalesce(min(h), hour_of(t)) into tail
  from generate_series(middle, hour_of(t) - interval '1 hour', interval '1 hour') h
  where not exists (select from hour_seal s where s.hour = h);
  return query
    select x.metric = 3, x.item_id, coalesce(sum(x.views) filter (where x.metric <> 2), 0)::bigint,
      coalesce(sum(x.views) filter (where x.metric = 2), 0)::bigint
    from (
      select v.metric, v.item_id, v.views from view_hour v
        where v.merchant_id = merchant and v.hour >= middle and v.hour < tail
      union all select e.metric, e.item_id, 1 from view_event e
        where e.merchant_id = merchant and e.at >= t - interval '24 hours' and e.at < middle
      union all select e.metric, e.item_id, 1 from view_event e
        where e.merchant_id = merchant and e.at >= tail and e.at < t
    ) x group by 1, 2;
end $$;

-- What the window of a merchant that ends at `since` gains and loses until it ends at `until`.
create function window_change(merchant bigint, since timestamptz, until timestamptz)
returns table (is_offer boolean, item_id bigint, by_user bigint, by_agent bigint)
language sql stable as $$
  select e.metric = 3, e.item_id, coalesce(sum(e.sign) filter (where e.metric <> 2), 0)::bigint,
    coalesce(sum(e.sign) filter (where e.metric = 2), 0)::bigint
  from (
    select metric, view_event.item_id, 1 as sign from view_event
      where merchant_id = merchant and at >= since and at < until
    union all select metric, view_event.item_id, -1 from view_event
      where merchant_id = merchant and at >= since - interval '24 hours' and at < until - interval '24 hours'
  ) e group by 1, 2
$$;

-- Views of a merchant in [t - 24 h, t), exact to the event; the window answers for the hour after its end.
create function merchant_views(merchant bigint, t timestamptz)
returns table (is_offer boolean, item_id bigint, by_user bigint, by_agent bigint)
language plpgsql stable as $$
declare
  since timestamptz := (
    select s.until from window_state s, window_merchant m where m.merchant_id = merchant
  );
begin
  if since <= t and since > t - interval '1 hour' then
    return query
      select x.is_offer, x.item_id, sum(x.by_user)::bigint, sum(x.by_agent)::bigint from (
        select w.is_offer, w.item_id, w.by_user, w.by_agent from window_view w where w.merchant_id = merchant
        union all select * from window_change(merchant, since, t)
      ) x group by 1, 2 having sum(x.by_user) <> 0 or sum(x.by_agent) <> 0;
  else
    return query select * from hourly_merchant_views(merchant, t);
  end if;
end $$;

-- Gives merchants with many rows in the last 23 sealed hours a window of their own, and takes it from those
-- that have few by now.
create function choose_window_merchants(least_rows bigint) returns void
language plpgsql as $$
declare
  ended timestamptz := (select max(hour) + interval '1 hour' from hour_seal);
  chosen bigint[];
begin
  perform pg_advisory_xact_lock(726115, 0);
  update window_state set until = date_trunc('minute', clock_timestamp()) where until is null;
  select array_agg(merchant_id) into chosen from (
    select merchant_id from view_hour where hour >= ended - interval '23 hours' and hour < ended
    group by merchant_id having count(*) >= least_rows
  ) large;
  delete from window_merchant where merchant_id <> all(coalesce(chosen, '{}'));
  delete from window_view where merchant_id <> all(coalesce(chosen, '{}'));
  with added as (
    insert into window_merchant (merchant_id) select unnest(chosen) on conflict do nothing
    returning merchant_id
  )
  insert into window_view
  select added.merchant_id, v.* from added, window_state s, hourly_merchant_views(added.merchant_id, s.until) v;
end $$;

-- Moves the end of the window to the clock's last full minute. Writers share the window's lock, so that no
-- event before the new end is still on its way.
create function advance_window(clock timestamptz) returns void
language plpgsql as $$
declare
  since timestamptz;
  ended timestamptz;
begin
  perform pg_advisory_xact_lock(726115, 0);
  since := (select until from window_state);
  ended := date_trunc('minute', clock);
  if since is null or ended <= since then
    return;
  end if;
  if since > ended - interval '1 hour' then
    insert into window_view as w
    select m.merchant_id, v.* from window_merchant m, window_change(m.merchant_id, since, ended) v
    on conflict (merchant_id, is_offer, item_id) do update set
      by_user = w.by_user + excluded.by_user, by_agent = w.by_agent + excluded.by_agent;
    delete from window_view where by_user = 0 and by_agent = 0;
  else
    delete from window_view;
    insert into window_view
    select m.merchant_id, v.* from window_merchant m, hourly_merchant_views(m.merchant_id, ended) v;
  end if;
  update window_state set until = ended;
end $$;

-- Adds the events that lie before the end of the window to its sums.
create function add_to_window(events jsonb) returns void
language plpgsql as $$
declare
  ended timestamptz := (select until from window_state);
begin
  if not exists (select from read_views(events) v where v.at < ended) then
    return;
  end if;
  insert into window_view as w (merchant_id, is_offer, item_id, by_user, by_agent)
  select v.merchant_id, v.kind = 'offer', v.id, count(*) filter (where v.source = 'user'),
    count(*) filter (where v.source = 'agent')
  from (
    select owner_at(e.kind, e.id, e.at) as merchant_id, e.* from read_views(events) e
    where e.id > 0 and e.at >= ended - interval '24 hours' and e.at < ended
  ) v join window_merchant using (merchant_id)
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (merchant_id, is_offer, item_id) do update set
    by_user = w.by_user + excluded.by_user, by_agent = w.by_agent + excluded.by_agent;
end $$;

-- As before, but the window has a step of its own.
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

-- As before, but every writer shares the window's lock from the start.
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

  -- All partitions before the first lock of an hour: whoever waits for one holds nothing that another needs.
  perform ensure_partition('view_event', h, interval '1 hour'),
    ensure_partition('view_hour', date_trunc('day', h, 'UTC'), interval '24 hours')
  from (select distinct hour_of(v.at) as h from read_views(events) v order by 1) hours;
  perform pg_advisory_xact_lock_shared(726114, hour_lock(h))
  from (select distinct hour_of(v.at) as h from read_views(events) v order by 1) hours;
  perform pg_advisory_xact_lock_shared(726115, 0);

  -- Payment offers (negative ids) count for no merchant: the merchant's table has positive ids only.
  insert into view_event (at, item_id, merchant_id, metric)
  select v.at, v.id, case when v.id > 0 then owner_at(v.kind, v.id, v.at) end,
    case when v.kind = 'offer' then 3 when v.source = 'agent' then 2 else 1 end
  from read_views(events) v;
  get diagnostics recorded = row_count;
  perform add_late_views(events);
  perform add_to_window(events);

  -- In id order, so that two batches never wait for each other in a circle.
  insert into product_total as total (product_id, views)
  select v.id, count(*) from read_views(events) v where v.kind = 'product' group by v.id order by v.id
  on conflict (product_id) do update set views = total.views + excluded.views;
  return recorded;
end $$;
