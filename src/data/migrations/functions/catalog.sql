-- Revision 1. What is public, what comes first, and which merchant an item had.

-- The public offer index: everything public about offers goes through this function.
create or replace function is_public(o offer, at timestamptz) returns boolean
language sql immutable parallel safe
return o.status = 'active' and not o.app_only_top
  and (o.valid_from is null or o.valid_from <= at)
  and (o.valid_until is null or o.valid_until > at);

-- The merchant that an item had at an instant; for instants before the catalog knew the item, its first.
create or replace function owner_at(item_kind text, item bigint, instant timestamptz) returns bigint
language sql stable parallel safe
return (
  select merchant_id from item_owner
  where kind = item_kind and item_id = item
  order by (since <= instant) desc, case when since <= instant then since end desc, since
  limit 1
);

-- How long a title is, in steps of twelve characters.
create or replace function title_rank(title text) returns int
language sql immutable parallel safe
return least(7, char_length(title) / 12);

-- In stock, with price, with media, described: 0 has all of it; then the shorter title.
create or replace function product_rank(p product) returns int
language sql immutable parallel safe
return 8 * (case when p.in_stock then 0 else 8 end
  + case when p.price_amount is null then 4 else 0 end
  + case when p.media = '[]' then 2 else 0 end
  + case when coalesce(p.description, '') = '' then 1 else 0 end) + title_rank(p.name);

-- The quality score in 128 steps, best first.
create or replace function offer_rank(o offer) returns int
language sql immutable parallel safe
return 127 - least(127, floor(o.quality_score * 128)::int);
