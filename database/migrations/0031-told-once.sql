-- `notifications` knows who was told of what. The tables and jobs that knew it for emails alone go; emails that still wait are told anew.

insert into jobs (kind, payload)
select distinct 'tell_of_step', jsonb_build_object('event_id', payload -> 'event_id')
from jobs
where kind = 'send_step_letter' and failed_at is null
union all
select distinct 'match_saved_searches', jsonb_build_object('listing_id', payload -> 'listing_id')
from jobs
where kind = 'send_listing_alert' and failed_at is null;

delete from jobs
where kind in ('send_step_letter', 'send_listing_alert', 'send_ending_soon', 'send_document_approved', 'send_document_rejected',
  'send_licence_warning', 'send_vat_failed');

drop table told, listing_alerts;
