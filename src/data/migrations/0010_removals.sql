-- Products and offers that an import removed, until they come back: the publisher withdraws their pages
-- without asking again. What is missing for any other reason is not here.
create table catalog_removal (
  kind text not null check (kind in ('product', 'offer')),
  id bigint not null,
  removed_at timestamptz not null default now(),
  primary key (kind, id)
);
create index catalog_removal_time on catalog_removal (removed_at);
