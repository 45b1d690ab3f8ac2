-- The catalog, as the latest feeds and changes left it. References are checked at commit, because the records of
-- a feed come in any order. Keys (name_key, city_key …) are the texts as searches compare them.
create extension if not exists pg_trgm;

create table category (
  id bigint primary key,
  name text not null,
  name_key text not null,
  parent_id bigint references category deferrable initially deferred,
  concepts text[] not null default '{}'
);
create index category_name_key on category (name_key);

create table merchant (
  id bigint primary key,
  name text not null,
  name_key text not null,
  description text
);
create index merchant_name_key on merchant using gin (name_key gin_trgm_ops);

create table store (
  id bigint primary key,
  merchant_id bigint not null references merchant deferrable initially deferred,
  name text not null,
  address text not null,
  district text not null,
  city text not null,
  state text,
  latitude double precision,
  longitude double precision,
  city_key text not null,
  district_key text not null,
  -- What people need to reach a store, where its merchant tells it.
  phone text,
  whatsapp text,
  opening_hours text
);
create index store_merchant on store (merchant_id);
create index store_place on store (city_key, district_key);
create index store_position on store (latitude, longitude);

create table product (
  id bigint primary key,
  merchant_id bigint not null references merchant deferrable initially deferred,
  category_id bigint references category deferrable initially deferred,
  name text not null,
  description text,
  brand text,
  price_amount bigint,
  price_currency text,
  list_price_amount bigint,
  list_price_currency text,
  in_stock boolean not null,
  media jsonb not null,
  updated_at timestamptz not null
);
create index product_category on product (category_id);
-- The order in which pages name what stands beside a record: those of the same merchant and category first.
create index product_shelf on product (merchant_id, (coalesce(category_id, 0)), id);

create table offer (
  id bigint primary key,
  merchant_id bigint references merchant deferrable initially deferred,
  product_id bigint references product deferrable initially deferred,
  title text not null,
  description text,
  ai_category text,
  ai_category_key text,
  enriched_copy text,
  quality_score double precision not null,
  price_amount bigint,
  price_currency text,
  media jsonb not null,
  valid_from timestamptz,
  valid_until timestamptz,
  status text not null check (status in ('active', 'inactive', 'hidden')),
  app_only_top boolean not null,
  updated_at timestamptz not null
);
create index offer_merchant on offer (merchant_id);
create index offer_product on offer (product_id);
create index offer_shelf on offer ((coalesce(merchant_id, 0)), id);
-- When the next offer starts or ends, and which ones ended lately.
create index offer_validity on offer (valid_until) where status = 'active' and not app_only_top;
create index offer_start on offer (valid_from) where status = 'active' and not app_only_top;

-- Which merchant an item had since when: a view belongs to the merchant of its own time.
create table item_owner (
  kind text not null check (kind in ('product', 'offer')),
  item_id bigint not null,
  since timestamptz not null,
  merchant_id bigint,
  primary key (kind, item_id, since)
);

create table catalog_state (
  only_row boolean primary key default true check (only_row),
  updated_at timestamptz,
  -- The lexicon that the search index was made with; null has it made anew at the next start.
  lexicon_version text,
  -- The sample catalog gives way to any other: its loss is not the loss of a catalog.
  sample boolean not null default false,
  -- Counts the transactions that changed the catalog, in the order in which they committed.
  version bigint not null default 0,
  changed_by xid8
);
insert into catalog_state default values;
