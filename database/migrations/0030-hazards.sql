-- What a consignment note states of hazardous goods, as the seller gave it: 'HP 8, HP 14'.
alter table exchanges add column hazard_properties text check (length(hazard_properties) between 1 and 100);
