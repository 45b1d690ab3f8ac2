-- Every view of the last days, one row an event. metric: 1 product by a user, 2 product by an agent,
-- 3 offer by a user. merchant_id is null when the view counts for no merchant.
create table view_event (
  at timestamptz not null,
  item_id bigint not null,
  merchant_id bigint,
  metric smallint not null check (metric between 1 and 3)
);
create index view_event_merchant on view_event (merchant_id, at) include (metric, item_id)
  where merchant_id is not null;
create index view_event_at on view_event using brin (at);

-- All-time counts of products, known to the catalog or not.
create table product_total (
  product_id bigint primary key,
  views bigint not null default 0,
  likes bigint not null default 0,
  dislikes bigint not null default 0
);

create table reaction (
  product_id bigint not null,
  user_key text not null,
  liked boolean not null,
  primary key (product_id, user_key)
);

create table snapshot_run (
  taken_at timestamptz primary key,
  finished_at timestamptz not null default now(),
  merchants bigint not null
);

create table merchant_snapshot (
  taken_at timestamptz not null references snapshot_run on delete cascade,
  merchant_id bigint not null,
  product_user bigint not null,
  product_agent bigint not null,
  offer_user bigint not null,
  primary key (merchant_id, taken_at)
);

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

-- Records view events: a JSON array of {"kind":"product"|"offer","id":…,"source":"user"|"agent","at":…}.
-- All or nothing; returns the number of rows recorded. "at" may lie up to 48 hours back, not in the
-- future.
create function record_views(events jsonb) returns bigint
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

  -- Payment offers (negative ids) count for no merchant: the merchant's table has positive ids only.
  insert into view_event (at, item_id, merchant_id, metric)
  select v.at, v.id, case when v.id > 0 then owner_at(v.kind, v.id, v.at) end,
    case when v.kind = 'offer' then 3 when v.source = 'agent' then 2 else 1 end
  from read_views(events) v;
  get diagnostics recorded = row_count;

  -- In id order, so that two batches never wait for each other in a circle.
  insert into product_total as total (product_id, views)
  select v.id, count(*) from read_views(events) v where v.kind = 'product' group by v.id order by v.id
  on conflict (product_id) do update set views = total.views + excluded.views;
  return recorded;
end $$;

-- Sets, changes or (null) removes the one current reaction of a user to a product.
create function set_reaction(product bigint, reacting_user text, reaction text) returns void
language plpgsql as $$
declare
  before boolean;
  after boolean := case reaction when 'like' then true when 'dislike' then false end;
begin
  if reaction is not null and after is null then
    raise exception 'reaction must be "like", "dislike" or null, got "%"', reaction using errcode = '22023';
  end if;
  if product is null or product < 1 or product > 9007199254740991 then
    raise exception 'product must be a positive id, got %', product using errcode = '22023';
  end if;
  if coalesce(reacting_user, '') = '' then
    raise exception 'user must not be empty' using errcode = '22023';
  end if;
  -- The total's row lock puts the reactions to one product one after the other.
  insert into product_total (product_id) values (product) on conflict do nothing;
  perform 1 from product_total where product_id = product for update;
  select r.liked into before from reaction r where r.product_id = product and r.user_key = reacting_user;
  if before is not distinct from after then
    return;
  end if;
  if after is null then
    delete from reaction r where r.product_id = product and r.user_key = reacting_user;
  else
    insert into reaction as r (product_id, user_key, liked) values (product, reacting_user, after)
    on conflict (product_id, user_key) do update set liked = excluded.liked;
  end if;
  update product_total set
    likes = likes + coalesce(after, false)::int - coalesce(before, false)::int,
    dislikes = dislikes + coalesce(not after, false)::int - coalesce(not before, false)::int
  where product_id = product;
end $$;
