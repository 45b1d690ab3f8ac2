-- A mall's own tables, as an example for the rest of this folder: yours have other names and columns.
create schema mall;

create table mall.shop (
  id bigint primary key,
  name text not null,
  street text not null,
  district text not null,
  city text not null
);

create table mall.item (
  id bigint primary key,
  shop_id bigint not null references mall.shop,
  title text not null,
  details text,
  price_cents int,
  stock int not null default 0,
  hidden boolean not null default false
);

-- Rows as records of Vitrine's feed. A shop is a merchant with one store; hidden rows are not in the catalog.
create view mall.feed (kind, id, record) as
select 'merchant', id, jsonb_build_object('kind', 'merchant', 'id', id, 'name', name)
from mall.shop
union all
select 'store', id, jsonb_build_object('kind', 'store', 'id', id, 'merchant_id', id, 'name', name,
  'address', street, 'district', district, 'city', city)
from mall.shop
union all
select 'product', id, jsonb_build_object('kind', 'product', 'id', id, 'merchant_id', shop_id, 'name', title,
  'description', details, 'in_stock', stock > 0,
  'price', case when price_cents is not null
    then jsonb_build_object('amount', price_cents, 'currency', 'BRL') end)
from mall.item where not hidden;
