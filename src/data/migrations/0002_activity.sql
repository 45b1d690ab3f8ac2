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

-- Every view of the last days, one row an event, in hourly partitions. metric: 1 product by a user,
-- 2 product by an agent, 3 offer by a user. merchant_id is null when the view counts for no merchant.
create table view_event (
  at timestamptz not null,
  item_id bigint not null,
  merchant_id bigint,
  metric smallint not null check (metric between 1 and 3)
) partition by range (at);
create index view_event_merchant on view_event (merchant_id, at) include (metric, item_id)
  where merchant_id is not null;

-- Sealed hours: what each merchant's items had in an hour. About two minutes after its end an hour is
-- summed up here once; events that come later are added.
create table hour_seal (
  hour timestamptz primary key,
  sealed_at timestamptz not null default clock_timestamp()
);

create table view_hour (
  hour timestamptz not null,
  merchant_id bigint not null,
  metric smallint not null,
  item_id bigint not null,
  views bigint not null,
  primary key (merchant_id, hour, metric, item_id) include (views)
) partition by range (hour);

create table merchant_hour (
  hour timestamptz not null,
  merchant_id bigint not null,
  product_user bigint not null,
  product_agent bigint not null,
  offer_user bigint not null,
  primary key (hour, merchant_id)
);

-- For merchants with very many rows: the sum of the 23 full hours before window_state.until.
create table window_state (
  only_row boolean primary key default true check (only_row),
  until timestamptz
);
insert into window_state default values;
create table window_merchant (merchant_id bigint primary key);
create table window_view (
  merchant_id bigint not null,
  metric smallint not null,
  item_id bigint not null,
  views bigint not null,
  primary key (merchant_id, metric, item_id) include (views)
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
