-- Revision 1. What is public, static ranks, and the merchant of an item over time.

-- Defines the public offer index; every public use of offers goes through this function.
create or replace function is_public(o offer, at timestamptz) returns boolean
language sql immutable parallel safe
return o.status = 'active' and not o.app_only_top
  and (o.valid_from is null or o.valid_from <= at)
  and (o.valid_until is null or o.valid_until > at);

-- Returns an item's merchant at an instant; before the catalog knew the item, its first merchant.
create or replace function owner_at(item_kind text, item bigint, instant timestamptz) returns bigint
language sql stable parallel safe
return (
  select merchant_id from item_owner
  where kind = item_kind and item_id = item
  order by (since <= instant) desc, case when since <= instant then since end desc, since
  limit 1
);

-- Title length in steps of twelve characters.
create or replace function title_rank(title text) returns int
language sql immutable parallel safe
return least(7, char_length(title) / 12);

-- Static rank of a product, 0 best: in stock, priced, with media, with a description; then shorter titles.
create or replace function product_rank(p product) returns int
language sql immutable parallel safe
return 8 * (case when p.in_stock then 0 else 8 end
  + case when p.price_amount is null then 4 else 0 end
  + case when p.media = '[]' then 2 else 0 end
  + case when coalesce(p.description, '') = '' then 1 else 0 end) + title_rank(p.name);

-- Static rank of an offer: its quality score in 128 steps, 0 best.
create or replace function offer_rank(o offer) returns int
language sql immutable parallel safe
return 127 - least(127, floor(o.quality_score * 128)::int);
