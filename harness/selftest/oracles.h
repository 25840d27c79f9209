// The oracles that forms.def names, by file.

// oracle_int.c
ST_ORACLE(st_o_int1);
ST_ORACLE(st_o_int2);
ST_ORACLE(st_o_mul);
ST_ORACLE(st_o_mul24);
ST_ORACLE(st_o_sad);
ST_ORACLE(st_o_div);
ST_ORACLE(st_o_dot);
ST_ORACLE(st_o_carry);
ST_ORACLE(st_o_carry_mixed);
ST_ORACLE(st_o_immediate);
// oracle_bits.c
ST_ORACLE(st_o_logic);
ST_ORACLE(st_o_lop3);
ST_ORACLE(st_o_shift);
ST_ORACLE(st_o_funnel);
ST_ORACLE(st_o_count);
ST_ORACLE(st_o_fns);
ST_ORACLE(st_o_field);
ST_ORACLE(st_o_bmsk);
ST_ORACLE(st_o_szext);
ST_ORACLE(st_o_prmt);
// oracle_set.c
ST_ORACLE(st_o_set);
ST_ORACLE(st_o_set_not);
ST_ORACLE(st_o_set_pair);
ST_ORACLE(st_o_set_each);
ST_ORACLE(st_o_select);
ST_ORACLE(st_o_testp);
// oracle_cvt.c
ST_ORACLE(st_o_cvt);
ST_ORACLE(st_o_cvt_wide);
ST_ORACLE(st_o_cvt_pack);
// oracle_packed.c
ST_ORACLE(st_o_video);
ST_ORACLE(st_o_video_scalar);
ST_ORACLE(st_o_video_lanes);
ST_ORACLE(st_o_vmad);
ST_ORACLE(st_o_fp8);
// oracle_float.c
ST_ORACLE(st_o_float);
ST_ORACLE(st_o_minmax);
ST_ORACLE(st_o_sign);
// oracle_warp.c
ST_GROUP_ORACLE(st_w_vote);
ST_GROUP_ORACLE(st_w_match);
ST_GROUP_ORACLE(st_w_shfl);
ST_GROUP_ORACLE(st_w_redux);
ST_GROUP_ORACLE(st_w_atom);
ST_GROUP_ORACLE(st_w_barrier);
ST_GROUP_ORACLE(st_w_active);
// oracle_mem.c
ST_ORACLE(st_o_load);
ST_ORACLE(st_o_store);
ST_ORACLE(st_o_atom);
ST_ORACLE(st_o_atom_pair);
ST_ORACLE(st_o_pack);
ST_ORACLE(st_o_unpack);
ST_ORACLE(st_o_wide);
ST_ORACLE(st_o_space);
uint64_t st_atom(const st_form *f, uint64_t old, uint64_t b, uint64_t c); // what an atomic operation leaves
// oracle_whole.c
ST_ORACLE(st_o_function);
// oracle_value.c
st_quad st_v_rcp(const st_form *f, const st_quad *in);
st_quad st_v_sqrt(const st_form *f, const st_quad *in);
st_quad st_v_rsqrt(const st_form *f, const st_quad *in);
st_quad st_v_div(const st_form *f, const st_quad *in);
st_quad st_v_trig(const st_form *f, const st_quad *in);
st_quad st_v_lg2(const st_form *f, const st_quad *in);
st_quad st_v_ex2(const st_form *f, const st_quad *in);
st_quad st_v_tanh(const st_form *f, const st_quad *in);
st_quad st_v_function(const st_form *f, const st_quad *in);
