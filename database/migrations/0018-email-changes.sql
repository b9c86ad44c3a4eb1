-- A new email address waits here until its owner has confirmed it; the old one stays in force.
alter table users add column new_email text check (length(new_email) <= 254);

alter table email_tokens drop constraint email_tokens_purpose_check;
alter table email_tokens add constraint email_tokens_purpose_check
  check (purpose in ('verify_email', 'reset_password', 'change_email', 'undo_email_change'));
