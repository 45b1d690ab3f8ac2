-- Revision 1. set_reaction, the entry point for reactions.

-- Sets, changes or (null) removes a user's current reaction to a product.
create or replace function set_reaction(product bigint, reacting_user text, reaction text) returns void
language plpgsql as $$
declare
  before boolean;
  after boolean := case reaction when 'like' then true when 'dislike' then false end;
begin
  if reaction is not null and after is null then
    raise exception 'reaction must be "like", "dislike" or null, got "%"', reaction using errcode = '22023';
  end if;
  if product is null or product < 1 or product > 9007199254740991 then
    raise exception 'product must be a positive id, got %', product using errcode = '22023';
  end if;
  if coalesce(reacting_user, '') = '' then
    raise exception 'user must not be empty' using errcode = '22023';
  end if;
  -- The row lock on the total serialises the reactions to a product.
  insert into product_total (product_id) values (product) on conflict do nothing;
  perform 1 from product_total where product_id = product for update;
  select r.liked into before from reaction r where r.product_id = product and r.user_key = reacting_user;
  if before is not distinct from after then
    return;
  end if;
  if after is null then
    delete from reaction r where r.product_id = product and r.user_key = reacting_user;
  else
    insert into reaction as r (product_id, user_key, liked) values (product, reacting_user, after)
    on conflict (product_id, user_key) do update set liked = excluded.liked;
  end if;
  update product_total set
    likes = likes + coalesce(after, false)::int - coalesce(before, false)::int,
    dislikes = dislikes + coalesce(not after, false)::int - coalesce(not before, false)::int
  where product_id = product;
end $$;
