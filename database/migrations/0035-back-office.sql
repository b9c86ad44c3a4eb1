-- The lists of the back office: each filter has an index in the order of its pages, so page 50 costs what page 1 does.

create index users_newest on users (created_at, id) where erased_at is null;
create index users_by_tier on users (tier, created_at, id) where erased_at is null;
create index users_to_open on users (created_at, id) where opened_at is null and erased_at is null;
create index users_suspended on users (created_at, id) where suspended_at is not null and erased_at is null;

-- Users are found by the beginning of their email, company, name or postcode.
create index users_email_prefix on users (lower(normalize(email, nfkc)) text_pattern_ops, id) where erased_at is null;
create index users_company_prefix on users (lower(normalize(company_name, nfkc)) text_pattern_ops, id) where erased_at is null;
create index users_surname_prefix on users (lower(normalize(surname, nfkc)) text_pattern_ops, id) where erased_at is null;
create index users_name_prefix on users (lower(normalize(first_name || ' ' || surname, nfkc)) text_pattern_ops, id) where erased_at is null;
create index addresses_post_code_prefix on addresses (lower(replace(post_code, ' ', '')) text_pattern_ops, user_id);

-- What waits on the desk, the longest first.
create index listings_with_issue on listings (entered_at, id) where status = 'HasAdminIssue';
create index seller_payouts_waiting on seller_payouts (created_at, id) where status = 'waiting';
