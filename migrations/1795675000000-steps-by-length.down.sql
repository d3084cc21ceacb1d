-- Chunks that were weighed meanwhile keep their steps above 200, and so are weighed anew.
update keyword_averages set average_length_step = average_length_step - 100;
