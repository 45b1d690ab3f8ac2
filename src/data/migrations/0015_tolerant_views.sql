-- What is wrong with a view event; null when it is good.
create function view_event_fault(event jsonb, clock timestamptz) returns text
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

-- As record_views; tolerant, it records the good events of a batch and returns the others, by their position from 1.
create function record_views(events jsonb, batch_key text, tolerant boolean)
returns table ("position" int, event jsonb, reason text)
language plpgsql as $$
declare
  clock timestamptz := clock_timestamp();
  -- The clock of record_views below is a little later.
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
