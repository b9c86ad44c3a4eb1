-- Squares a quarter as wide as the widest circle of their level: fewer preferences are looked at that do not match
-- (domain/market/preference-cells.ts).

update preference_cells p
set cell = coalesce(
  (
    select level * 100000000
           + (floor(p.spot[0] / (width / 4.0::float8))::integer + 1000) * 10000
           + floor(p.spot[1] / (width / 4.0::float8))::integer + 5000
    from unnest(array[4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512]) with ordinality as w (width, level)
    where p.radius_miles <= width
    order by level
    limit 1
  ),
  0
);
