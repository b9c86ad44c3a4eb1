-- RULES §1: a listing's document may come without a kind, and takes that of the field that it is first used for.
alter table storage_objects
  drop constraint storage_objects_check,
  add constraint storage_objects_kind check (
    case upload_kind
      when 1 then storage_object_kind is null
      when 3 then storage_object_kind is not null
      else true
    end
  );
