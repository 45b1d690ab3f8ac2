-- What people and agents did: views and reactions, and the sums that statistics are read from.

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

-- Keys of batches that were recorded, for as long as a caller may sensibly try again.
create table view_batch (
  key text primary key,
  recorded_at timestamptz not null default now()
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

-- The window of merchants with very many views slides by the minute: window_view holds the sums of
-- [window_state.until - 24 h, until), to which a read adds the events since and from which it takes those
-- that have left. So the raw part of an answer is a minute or two long instead of an hour.
create table window_state (
  only_row boolean primary key default true check (only_row),
  until timestamptz
);
insert into window_state default values;

create table window_merchant (merchant_id bigint primary key);

create table window_view (
  merchant_id bigint not null,
  is_offer boolean not null,
  item_id bigint not null,
  by_user bigint not null,
  by_agent bigint not null,
  primary key (merchant_id, is_offer, item_id)
) with (fillfactor = 70);

-- The daily snapshots that windows are compared with.
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
