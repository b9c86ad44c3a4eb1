-- Listings by the place where they are shown, which is rounded to hundredths of a degree: a page of the nearest ones that begins
-- further out looks up the places there, and none of those nearer. Bids touch neither column, so their updates stay within the page.

create function map_cell(latitude real, longitude real) returns integer
language sql immutable parallel safe
return round(latitude::float8 * 100)::integer * 10000 + round(longitude::float8 * 100)::integer + 5000;

create index listing_search_cell on listing_search (map_cell(latitude, longitude));
