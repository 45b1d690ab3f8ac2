-- Revision 1. The rolling window: a merchant's views in the 24 hours before an instant.

-- A merchant's views in [t - 24 h, t), exact to the event: sealed hours in the middle, raw events at both edges and
-- for hours not sealed yet.
create or replace function hourly_merchant_views(merchant bigint, t timestamptz)
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

-- The difference between a merchant's windows that end at `since` and at `until`.
create or replace function window_change(merchant bigint, since timestamptz, until timestamptz)
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

-- A merchant's views in [t - 24 h, t), exact to the event; uses the window sums within an hour after their end.
create or replace function merchant_views(merchant bigint, t timestamptz)
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

-- Gives merchants with many rows in the last 23 sealed hours window sums of their own, and drops those of others.
create or replace function choose_window_merchants(least_rows bigint) returns void
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

-- Advances the window's end to the clock's last full minute. Writers hold the window's lock in shared mode, so that
-- no event before the new end is still in flight.
create or replace function advance_window(clock timestamptz) returns void
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

-- Adds events before the window's end to its sums.
create or replace function add_to_window(events jsonb) returns void
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
