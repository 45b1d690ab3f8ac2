-- The catalog, as the latest feeds left it. References are checked at commit, because the records of
-- a feed come in any order.
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
  district_key text not null
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
create index product_merchant on product (merchant_id);
create index product_category on product (category_id);

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

-- The search tokens of a record (src/understand): what its title is about, what else the title names,
-- and what description and categories add. Made anew when the lexicon changes.
create table product_search (
  id bigint primary key references product on delete cascade,
  head text[] not null,
  title text[] not null,
  body text[] not null,
  tokens text[] generated always as (head || title || body) stored
);
create index product_search_tokens on product_search using gin (tokens);

create table offer_search (
  id bigint primary key references offer on delete cascade,
  head text[] not null,
  title text[] not null,
  body text[] not null,
  tokens text[] generated always as (head || title || body) stored
);
create index offer_search_tokens on offer_search using gin (tokens);

-- The public offer index: everything public about offers goes through this function.
create function is_public(o offer, at timestamptz) returns boolean
language sql immutable parallel safe
return o.status = 'active' and not o.app_only_top
  and (o.valid_from is null or o.valid_from <= at)
  and (o.valid_until is null or o.valid_until > at);

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
  lexicon_version text
);
insert into catalog_state default values;
