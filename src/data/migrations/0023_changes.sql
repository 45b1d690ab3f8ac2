-- Changes of the catalog: those that wait to be applied, and which records each applied one touched.

-- Catalog changes by SQL: a queue of batches, which the jobs apply in order.
create table catalog_batch (
  seq bigint generated always as identity primary key,
  key text unique,
  -- Null once they are applied; the key stays for as long as a caller may sensibly try again.
  changes jsonb,
  size int not null,
  submitted_at timestamptz not null default now(),
  applied_at timestamptz
);
create index catalog_batch_waiting on catalog_batch (seq) where changes is not null;
create index catalog_batch_applied on catalog_batch (applied_at);

create table catalog_fault (
  seq bigint not null,
  batch_key text,
  position int not null,
  kind text not null,
  id bigint not null,
  field text not null,
  reason text not null,
  at timestamptz not null default now(),
  primary key (seq, position)
);
create index catalog_fault_time on catalog_fault (at);

-- The changes that could not be applied; position counts from 1.
create view catalog_change_fault as
select batch_key, position, kind, id, field, reason, at from catalog_fault;

-- Which records each change touched, so that a publish looks at what depends on them only. A version that is not
-- here was forgotten, or belongs to another database: what came after it is not known.
create table catalog_version (
  version bigint primary key,
  at timestamptz not null
);

-- A record as it was before or is after a change: its merchant, and its category or product.
create table catalog_touched (
  version bigint not null,
  kind text not null,
  id bigint not null,
  merchant_id bigint,
  belongs_to bigint
);
create index catalog_touched_version on catalog_touched (version);

-- Products and offers that an import removed, until they come back: the publisher withdraws their pages
-- without asking again. What is missing for any other reason is not here.
create table catalog_removal (
  kind text not null check (kind in ('product', 'offer')),
  id bigint not null,
  removed_at timestamptz not null default now(),
  primary key (kind, id)
);
create index catalog_removal_time on catalog_removal (removed_at);
