-- The sample catalog gives way to any other: its loss is not the loss of a catalog.
alter table catalog_state add sample boolean not null default false;

-- When the next offer starts or ends, and which ones ended lately.
create index offer_validity on offer (valid_until) where status = 'active' and not app_only_top;
create index offer_start on offer (valid_from) where status = 'active' and not app_only_top;
