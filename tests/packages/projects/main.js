import 'attention-live';
