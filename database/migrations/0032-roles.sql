-- Who runs the marketplace: `admin` does everything, `support` sees the same and changes nothing. Null for everybody else.

alter table users add column role text check (role in ('support', 'admin'));

update users set role = 'admin' where is_admin;

alter table users drop column is_admin;

create index users_role on users (role) where role is not null;
