-- Steps of the average length count from 200 (text/bm25): chunks, whose steps stay, are weighed anew by the formula of now.
update keyword_averages set average_length_step = average_length_step + 100;
