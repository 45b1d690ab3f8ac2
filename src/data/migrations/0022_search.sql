-- The search index. Every record has a number; smaller numbers are better by static rank. For each key (a token
-- at a field, a category, a place, a price step) the numbers of the records that carry it lie in ascending
-- arrays, cut into buckets, so that a search reads the best records first and stops.
create extension if not exists intarray;

-- Ids are for ever, also over a rebuild, because a search looks them up in a statement of its own.
-- A key is id * 4 + level: 0 a filter; 1 what the title is about, 2 the title, 3 anywhere (each holds the
-- level before it).
create table search_token (
  id int primary key generated always as identity,
  token text not null unique
);

-- kind: 1 product, 2 offer. number: static rank (0 best, 127 worst) << 24, then a hash of the id (search_number).
create table search_record (
  kind smallint not null,
  number int not null,
  id bigint not null,
  keys int[] not null,
  -- What the keys were made from: a record whose source did not change is not indexed again.
  source uuid not null,
  -- A hash of the title as a query would say it.
  name bigint not null,
  primary key (kind, number)
);
create unique index search_record_id on search_record (kind, id);
create index search_record_name on search_record (kind, name);

-- Where the buckets of a kind begin; their sizes double from 8192 records.
create table search_bucket (
  kind smallint not null,
  bucket smallint not null,
  first int not null,
  primary key (kind, bucket)
);

create table search_posting (
  kind smallint not null,
  key int not null,
  bucket smallint not null,
  records int not null,
  numbers int[] not null,
  primary key (kind, key, bucket)
) with (fillfactor = 80);
-- Whole arrays are read, and packing them costs more than it saves.
alter table search_posting alter numbers set storage external;

-- What the index knows of merchants' places and categories' names, to find the records that follow
-- when these change.
create table search_merchant (
  merchant_id bigint primary key,
  places text[] not null
);
create table search_category (
  category_id bigint primary key,
  names text not null
);

-- The words of titles and brands: what a mistyped word may have meant.
create table search_word (
  word text primary key,
  token_id int not null references search_token
);
create index search_word_similar on search_word using gin (word gin_trgm_ops);

-- In search_best: records that have the same of some slots of a query; null for all that have nothing of them.
create type search_node as (
  numbers int[],
  -- What they have of these slots.
  sum float8,
  -- Whether they may, and whether they do, cover these in full.
  may_cover boolean, covers boolean
);
create type search_numbers as (numbers int[]);
